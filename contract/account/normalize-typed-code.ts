const digit = /\p{Nd}/u

/** Unicode assigns decimal digits in runs of ten that begin with zero. */
function toAsciiDigit(written: string): string {
  const code = written.codePointAt(0) ?? 0
  let zero = code
  while (digit.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String((code - zero) % 10)
}

/** Keeps only letters and digits: "217 635", "217-635" and "٢١٧٦٣٥" all become "217635". */
export const normalizeTypedCode = (typed: string): string =>
  typed
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, toAsciiDigit)
