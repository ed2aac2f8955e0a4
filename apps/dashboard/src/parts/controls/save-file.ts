/** Lets the browser save a text as a file. What has no place in a name is a dash in it. */
export function saveFile(name: string, text: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replace(/[^\w.-]+/g, '-');
  link.click();
  URL.revokeObjectURL(url);
}
