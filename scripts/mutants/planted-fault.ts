export type PlantedFault = {
  name: string
  file: string
  find: string
  replace: string
  /** The test that must fail, by a part of its title. */
  red: readonly [file: string, title: string]
  /** Set for a row of the permission matrix: exactly the columns whose outcome must change. */
  cells?: string
}
