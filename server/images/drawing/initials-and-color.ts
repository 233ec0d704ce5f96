const colors = ['fd366e', 'fe9567', '7c67fe', '68a3fe', '85dbd8'] as const

const maxLetters = 2

/**
 * Takes the initials of two words that begin with a letter or digit. If the name has no spaces, underscores
 * separate its words.
 */
export function extractNameInitials(name: string): string {
  const upper = name.normalize('NFC').toUpperCase()
  const words = upper.split(upper.includes(' ') ? ' ' : '_')
  const letters = words.flatMap((word) => /^[\p{L}\p{N}]/u.exec(word)?.[0] ?? [])
  return letters.slice(0, maxLetters).join('')
}

/** The colour depends on the sum of the code points. @returns six hex digits */
export function chooseAppwriteInitialsColor(initials: string): string {
  const sum = [...initials].reduce((total, letter) => total + (letter.codePointAt(0) as number), 0)
  return colors[sum % colors.length] as string
}

/** Design tokens tint-1 … tint-6. */
const tints = ['f8c9d6', 'd8d0f5', 'fbdca6', 'cbe6d3', 'c9e2f2', 'f6cfb8'] as const

/** The colour depends on the sum of the code points. @returns six hex digits */
export function chooseProductInitialsColor(name: string): string {
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return tints[sum % tints.length] as string
}
