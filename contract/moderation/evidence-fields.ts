/** Fields of a report's evidence that show a column as it stood; moderators see each. */
export type EvidenceField =
  | 'bio'
  | 'caption'
  | 'content'
  | 'description'
  | 'imageAlt'
  | 'location'
  | 'name'
  | 'tags'
