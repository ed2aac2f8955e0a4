/** A record in JSON, a date with a time or the level of a log, or a time with seconds: a person writes none of them first. */
const recordFirst =
  /^(?:\{"|\[?(?:\d{4}[-/]\d{2}[-/]\d{2}[T ](?:\d|\[?(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL))|\d{1,2}:\d{2}:\d{2}))/;

/** The head of a commit as `git log` prints it, also beside a graph. */
const commitHead =
  /^[|*\\/ ]{0,8}(?:commit [0-9a-f]{7}|Author: [^<]{1,100}<|(?:Author|Commit)?Date: {1,8}[A-Z][a-z]{2} [A-Z][a-z]{2} \d|Merge: [0-9a-f]{7})/;

/** Whether a program wrote this line: a time of day, a record in JSON or the head of a commit stands first. Takes linear time. */
export function isRecordLine(line: string): boolean {
  const text = line.trimStart();
  return recordFirst.test(text) || commitHead.test(text);
}

/** A line that goes on with one of a program, such as the message of a commit, also beside a graph; or one between. */
const further = /^[|*\\/ ]{0,8}(?: {4}|$)/;

/** Leaves out the lines that a program wrote. Takes linear time. */
export function withoutRecords(lines: readonly string[]): string[] {
  let isRecord = false;
  return lines.filter((line) => {
    isRecord = isRecordLine(line) || (isRecord && further.test(line));
    return !isRecord;
  });
}
