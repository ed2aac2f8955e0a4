import '../write-thread.ts';
