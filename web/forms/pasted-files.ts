/** Returns none if the clipboard contains text, because Word adds a picture of it. */
export const pastedFiles = ({ clipboardData }: ClipboardEvent): File[] =>
  clipboardData && !clipboardData.types.includes('text/plain') ? [...clipboardData.files] : []
