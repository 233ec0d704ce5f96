export const sharedPhotoCacheName = 'juntas-shared'
export const sharedPhotoAddress = '/shared/photo'
/** The encoded file name, and the arrival in milliseconds since 1970. */
export const sharedNameHeader = 'x-name'
export const sharedAtHeader = 'x-at'
export const sharedPhotoPath = '/create-post?shared=1'
