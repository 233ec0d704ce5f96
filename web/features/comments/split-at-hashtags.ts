/**
 * Splits text at hashtags: a # not preceded by a letter, digit, mark, `#`, `/`, `&`, `.`, `@`, `?` or `=`, then word
 * characters including a letter.
 * @returns text parts, alternating with hashtags that include their #
 */
export const splitAtHashtags = (text: string): string[] => text.split(hashtag)

const hashtag =
  /(?<![\p{L}\p{N}#/&.@?=]|(?![\uFE0E\uFE0F\u20E3])\p{M})(#(?=[\p{Nd}_]*\p{L})[\p{L}\p{M}\p{Nd}_]+)(?!#)/u
