/** A fault and the test that must fail. */
export type PlantedFault = {
  name: string
  file: string
  /** Unique in the file. */
  find: string
  replace: string
  /** The failing test's file and part of its title. */
  red: readonly [file: string, title: string]
  /** For the permission matrix: exactly the columns that differ. */
  cells?: string
}
