const brands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'mif2', 'msf1', 'avif', 'avis']

/** @param start at least the first twelve bytes */
export const isHeif = (start: Uint8Array): boolean =>
  word(start, 4) === 'ftyp' && brands.includes(word(start, 8))

const word = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))
