/**
 * The fields of a report's evidence that contain a column's value at the time of the report. Moderators see each of
 * them.
 */
export type EvidenceField =
  | 'bio'
  | 'caption'
  | 'content'
  | 'description'
  | 'imageAlt'
  | 'location'
  | 'name'
  | 'tags'
