import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, Pencil } from 'lucide-react'
import { useParams } from 'react-router'
import type { Post } from '#contract/posts.ts'
import { paths } from '#web/paths.ts'
import { isLoading } from '#web/query-state.ts'
import { Button, IconLink } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { useSkeleton } from '#web/ui/skeleton.tsx'
import { StaleBar } from '#web/ui/stale-bar.tsx'
import { useGoBack } from '#web/use-go-back.ts'
import { DeletePost } from './delete-post.tsx'
import type { EditPostState } from './edit-post-screen.tsx'
import { findPost } from './post-cache.ts'
import { PostDetails, PostDetailsSkeleton } from './post-details.tsx'
import { PostClosed, PostNotFound } from './post-notice.tsx'
import { isClosed, isGone, postQuery } from './post-query.ts'
import { RelatedPosts } from './related-posts.tsx'

export function PostScreen() {
  const { postId = '' } = useParams()
  return (
    <div className="mx-auto max-w-[1080px]">
      <PostOrNot key={postId} postId={postId} />
    </div>
  )
}

/** The post as a list has shown it already, until its own answer comes. */
function PostOrNot({ postId }: { postId: string }) {
  const client = useQueryClient()
  const query = useQuery({ ...postQuery(postId), placeholderData: () => findPost(client, postId) })
  const goBack = useGoBack(paths.explore())
  const loading = useSkeleton(isLoading(query))
  const post = query.data

  if (isClosed(query.error)) return <PostClosed />
  if (isGone(query.error)) return <PostNotFound />
  return (
    <>
      <div className="mx-1 mt-1 mb-3.5 flex min-h-11 items-center gap-1 md:mx-0 md:mt-0">
        <Button kind="ghost" onClick={goBack} className="mr-auto -ml-3 pl-3">
          <ArrowLeft aria-hidden size={20} strokeWidth={1.9} />
          Back
        </Button>
        {post && !loading && <OwnersIcons post={post} onDeleted={goBack} />}
      </div>
      {loading ? (
        <PostDetailsSkeleton />
      ) : post ? (
        <>
          {query.isRefetchError && (
            <div className="mb-3.5">
              <StaleBar onRetry={query.refetch} />
            </div>
          )}
          <PostDetails post={post} />
          {post.creator && <RelatedPosts personId={post.creator.$id} postId={postId} />}
        </>
      ) : (
        <div className="card">
          <PageTitle title="Post" hidden />
          <ErrorState text="We couldn’t load this." onRetry={query.refetch} />
        </div>
      )}
    </>
  )
}

/** For whom the server's policy allows it. */
function OwnersIcons({ post, onDeleted }: { post: Post; onDeleted: () => void }) {
  return (
    <>
      {post.can.edit && (
        <IconLink
          to={paths.updatePost(post.$id)}
          state={{ fromPost: true } satisfies EditPostState}
          label="Edit post"
        >
          <Pencil aria-hidden size={20} strokeWidth={2} />
        </IconLink>
      )}
      {post.can.delete && <DeletePost post={post} onDeleted={onDeleted} />}
    </>
  )
}
