/** Columns at the time of the report. */
export type EvidenceField =
  | 'bio'
  | 'caption'
  | 'content'
  | 'description'
  | 'imageAlt'
  | 'location'
  | 'name'
  | 'tags'
