import '../../thread/write-thread.ts';
