/** Replaces the one place of a text. @throws where it is not there, or more than once: the list is then out of date */
export function replaceOnce(text: string, find: string, replace: string): string {
  const parts = text.split(find)
  if (parts.length !== 2) throw new Error(`found ${parts.length - 1} times, not once: ${find}`)
  return parts.join(replace)
}
