import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, Pencil } from 'lucide-react'
import { useParams } from 'react-router'
import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'
import { BlockedAuthorPostCover } from '#web/features/people/blocks/blocked-author-post-cover.tsx'
import { PeopleListDialog } from '#web/features/people/people-list-dialog.tsx'
import { likersQuery } from '#web/features/people/people-list-queries.ts'
import { SimilarPosts } from '#web/features/posts/topics/similar-posts.tsx'
import { useGoBack } from '#web/navigation/use-go-back.ts'
import { useListDialogState } from '#web/navigation/use-list-dialog-state.ts'
import { screenPaths } from '#web/paths.ts'
import { Button, IconLink } from '#web/ui/button.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { DeletePostButton } from './delete-post-button.tsx'
import type { EditPostNavigationState } from './form/post-form-navigation-state.ts'
import { MorePostsByAuthor } from './more-posts-by-author.tsx'
import { findCachedPost } from './post-cache.ts'
import { PostDetails, PostDetailsSkeleton } from './post-details.tsx'
import { PostMembersOnlyNotice, PostNotFoundNotice } from './post-unavailable-notices.tsx'
import { isGroupMembershipRequiredError, isPostNotFoundError, postQuery } from './queries.ts'

export function PostScreen() {
  const { postId = '' } = useParams()
  return (
    <div className="mx-auto max-w-[1080px]">
      <PostOrNot key={postId} postId={postId} />
    </div>
  )
}

function PostOrNot({ postId }: { postId: string }) {
  const client = useQueryClient()
  const query = useQuery({ ...postQuery(postId), placeholderData: () => findCachedPost(client, postId) })
  const goBack = useGoBack(screenPaths.explore())
  const { list, close } = useListDialogState()
  const post = query.data

  if (isGroupMembershipRequiredError(query.error)) return <PostMembersOnlyNotice />
  if (isPostNotFoundError(query.error)) return <PostNotFoundNotice />
  return (
    <>
      <div className="mx-1 mt-1 mb-3.5 flex min-h-11 items-center gap-1 md:mx-0 md:mt-0">
        <Button kind="ghost" onClick={goBack} className="mr-auto -ml-3 pl-3">
          <ArrowLeft aria-hidden size={20} strokeWidth={1.9} />
          {en('Back', 'Atrás')}
        </Button>
        {post && <OwnersIcons post={post} onDeleted={goBack} />}
      </div>
      <QueryView
        query={query}
        title={en('Post', 'Publicación')}
        skeleton={<PostDetailsSkeleton />}
        noticeClassName="mb-3.5"
      >
        {(post) => (
          <>
            <BlockedAuthorPostCover post={post}>
              <PostDetails post={post} />
            </BlockedAuthorPostCover>
            <PeopleListDialog
              title={en('Likes', 'Me gusta')}
              query={likersQuery(postId)}
              empty={en('Nobody likes this yet', 'Todavía no le gusta a nadie')}
              open={list === 'likers'}
              onClose={close}
            />
            {post.creator && <MorePostsByAuthor personId={post.creator.$id} postId={postId} />}
            {post.tags.length > 0 && <SimilarPosts postId={postId} />}
          </>
        )}
      </QueryView>
    </>
  )
}

/** The server's policy (`can`) decides which icons appear. */
function OwnersIcons({ post, onDeleted }: { post: Post; onDeleted: () => void }) {
  return (
    <>
      {post.can.edit && (
        <IconLink
          to={screenPaths.updatePost(post.$id)}
          state={{ fromPost: true } satisfies EditPostNavigationState}
          label={en('Edit post', 'Editar publicación')}
        >
          <Pencil aria-hidden size={20} strokeWidth={2} />
        </IconLink>
      )}
      {post.can.delete && <DeletePostButton post={post} onDeleted={onDeleted} />}
    </>
  )
}
