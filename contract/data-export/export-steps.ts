/** What is gathered for a copy of everything, in this order. */
export const exportSteps = ['profile', 'posts', 'people', 'messages', 'photos', 'page'] as const
export type ExportStep = (typeof exportSteps)[number]
