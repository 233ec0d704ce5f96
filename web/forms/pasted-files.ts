/**
 * Returns the pasted files. If the clipboard contains text, returns no files, because Word adds a picture of copied
 * text.
 */
export const pastedFiles = ({ clipboardData }: ClipboardEvent): File[] =>
  clipboardData && !clipboardData.types.includes('text/plain') ? [...clipboardData.files] : []
