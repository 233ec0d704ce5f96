/** Where the worker stores a photo that another app shared, until a page reads it. */
export const sharedPhotoCacheName = 'juntas-shared'
export const sharedPhotoAddress = '/shared/photo'
/** Headers of the stored photo: its encoded file name, and the time when it arrived in milliseconds since 1970. */
export const sharedNameHeader = 'x-name'
export const sharedAtHeader = 'x-at'
/** The page that reads the shared photo. */
export const sharedPhotoPath = '/create-post?shared=1'
