/** Bundles both screens in one chunk. */
import { CreatePostScreen as CreatePost } from './create-post-screen.tsx'
import { EditPostScreen as EditPost } from './edit-post-screen.tsx'

export const CreatePostScreen = () => <CreatePost />
export const EditPostScreen = () => <EditPost />
