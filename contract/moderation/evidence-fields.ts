/** Columns at the time of the report. Moderators read the texts in this order. */
export const evidenceFields = [
  'caption',
  'imageAlt',
  'content',
  'bio',
  'name',
  'description',
  'location',
  'tags',
] as const

export type EvidenceField = (typeof evidenceFields)[number]
