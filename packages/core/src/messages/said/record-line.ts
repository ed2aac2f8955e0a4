/** A date with a time or the level of a log, or a time with seconds: a person writes none of them first. */
const timeFirst =
  /^\[?(?:\d{4}[-/]\d{2}[-/]\d{2}[T ](?:\d|\[?(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL))|\d{1,2}:\d{2}:\d{2})/;

/** The head of a commit as `git log` prints it, also beside a graph. */
const commitHead =
  /^[|*\\/ ]{0,8}(?:commit [0-9a-f]{7}|Author: [^<]{1,100}<|(?:Author|Commit)?Date: {1,8}[A-Z][a-z]{2} [A-Z][a-z]{2} \d|Merge: [0-9a-f]{7})/;

/** Whether a program wrote this line: a time of day, a record in JSON or the head of a commit stands first. Takes constant time. */
export function isRecordLine(line: string): boolean {
  const text = line.slice(0, 200).trimStart();
  return text.startsWith('{"') || timeFirst.test(text) || commitHead.test(text);
}
