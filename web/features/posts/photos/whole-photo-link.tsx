import { Maximize } from 'lucide-react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'
import { screenPaths } from '#web/paths.ts'
import { getPostPhotoLink } from './use-post-photo-viewer.ts'

export const WholePhotoLink = ({ post, at }: { post: Post; at: number }) => (
  <Link to={getPostPhotoLink(at, screenPaths.post(post.$id))} className="whole-photo hit-44 text-meta">
    <Maximize aria-hidden size={16} strokeWidth={2} />
    {en('Whole photo', 'Foto entera')}
  </Link>
)
