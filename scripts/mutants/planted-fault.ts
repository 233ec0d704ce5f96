/** A fault and the test that must find it. */
export type PlantedFault = {
  name: string
  file: string
  /** The text to replace, which must occur once in the file. */
  find: string
  replace: string
  /** The file of the test that must fail, and a part of its title. */
  red: readonly [file: string, title: string]
  /** For a row of the permission matrix, the columns whose outcome must change, and no others. */
  cells?: string
}
