/** Where a photo waits that was shared to Juntas by another app, until a page takes it. */
export const sharedPhotoCacheName = 'juntas-shared'
export const sharedPhotoAddress = '/shared/photo'
/** The headers that it is kept with: its name, encoded, and when it came, in milliseconds since 1970. */
export const sharedNameHeader = 'x-name'
export const sharedAtHeader = 'x-at'
/** The page that takes it. */
export const sharedPhotoPath = '/create-post?shared=1'
