/** How a copy of everything is gathered, and for how long it is there. */

/** What is gathered, in this order. */
export const exportSteps = ['profile', 'posts', 'people', 'messages', 'photos', 'page'] as const
export type ExportStep = (typeof exportSteps)[number]

/** How long a copy can be downloaded. */
export const exportLifetimeDays = 7
/** Copies that a member may ask for within a day. */
export const exportsPerDay = 2
