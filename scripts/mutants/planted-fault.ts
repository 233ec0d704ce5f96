/** A fault as the texts of its place, and the test that must turn red. */
export type PlantedFault = {
  /** What is wrong with it, in words. */
  name: string
  file: string
  /** Stands once in the file. */
  find: string
  replace: string
  /** The file of the test that must fail, and a part of its title. */
  red: readonly [file: string, title: string]
  /** Of a test of the authorization matrix: the columns that are answered otherwise, and no others. */
  cells?: string
}
