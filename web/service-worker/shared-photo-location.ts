/** Where a photo shared from another app waits for a page. */
export const sharedPhotoCacheName = 'juntas-shared'
export const sharedPhotoAddress = '/shared/photo'
/** Headers of the stored photo: its encoded name, and its arrival in milliseconds since 1970. */
export const sharedNameHeader = 'x-name'
export const sharedAtHeader = 'x-at'
/** The page that takes the photo. */
export const sharedPhotoPath = '/create-post?shared=1'
