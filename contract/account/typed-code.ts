/** Reads codes as people type and paste them: in groups, with dashes, in the digits of their own script. */

const digit = /\p{Nd}/u

/** Unicode assigns decimal digits in runs of ten from zero, so the distance from the start of the run is the value. */
function toAsciiDigit(written: string): string {
  const code = written.codePointAt(0) ?? 0
  let zero = code
  while (digit.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String((code - zero) % 10)
}

/** Keeps the letters and digits of a code: "217 635", "217-635" and "٢١٧٦٣٥" all read "217635". */
export const normalizeTypedCode = (typed: string): string =>
  typed
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, toAsciiDigit)
