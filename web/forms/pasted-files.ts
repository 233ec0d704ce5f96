/** Lists the files of a paste. Where there is text, that is what the member copied: Word adds a picture of it. */
export const pastedFiles = ({ clipboardData }: ClipboardEvent): File[] =>
  clipboardData && !clipboardData.types.includes('text/plain') ? [...clipboardData.files] : []
