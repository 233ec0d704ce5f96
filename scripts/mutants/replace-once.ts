/** @throws if the text is missing or not unique: the list is outdated */
export function replaceOnce(text: string, find: string, replace: string): string {
  const parts = text.split(find)
  if (parts.length !== 2) throw new Error(`found ${parts.length - 1} times, not once: ${find}`)
  return parts.join(replace)
}
