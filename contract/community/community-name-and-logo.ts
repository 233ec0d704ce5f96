/** These values load with the first page, so this file imports no schemas. */

export const defaultCommunityName = 'Juntas'

export const getCommunityLogoPath = (version: string): string => `/v1/community/logo/${version}`
