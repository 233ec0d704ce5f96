export const exportSteps = ['profile', 'posts', 'people', 'messages', 'photos', 'page'] as const
export type ExportStep = (typeof exportSteps)[number]
