/** @throws if the text is missing or repeated, because then the list of faults is outdated */
export function replaceOnce(text: string, find: string, replace: string): string {
  const parts = text.split(find)
  if (parts.length !== 2) throw new Error(`found ${parts.length - 1} times, not once: ${find}`)
  return parts.join(replace)
}
