/** A column's value at the time of the report. Moderators see each of these. */
export type EvidenceField =
  | 'bio'
  | 'caption'
  | 'content'
  | 'description'
  | 'imageAlt'
  | 'location'
  | 'name'
  | 'tags'
