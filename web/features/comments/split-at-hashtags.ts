/**
 * A hashtag is a # and word characters with at least one letter. No letter, digit, mark, `#`, `/`, `&`, `.`, `@`, `?`
 * or `=` may precede it.
 * @returns alternating text and hashtags (with their #), starting with text
 */
export const splitAtHashtags = (text: string): string[] => text.split(hashtag)

const hashtag =
  /(?<![\p{L}\p{N}#/&.@?=]|(?![\uFE0E\uFE0F\u20E3])\p{M})(#(?=[\p{Nd}_]*\p{L})[\p{L}\p{M}\p{Nd}_]+)(?!#)/u
