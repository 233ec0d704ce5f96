import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listPostEditsEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'
import { callApiOperation } from '#web/api/client.ts'
import { postQueryKeys } from '#web/api/query-keys.ts'
import { formatDateAndTime } from '#web/format-time.ts'
import { ListDialog } from '#web/ui/modal.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { PostVersionText } from './post-version-text.tsx'

export function EarlierVersionsButton({ post }: { post: Post }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      {' · '}
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="hit-44 font-[620] text-brand-text underline-offset-3 hover:underline"
      >
        {en('Earlier versions', 'Versiones anteriores')}
      </button>
      <ListDialog
        title={en('Earlier versions', 'Versiones anteriores')}
        open={open}
        onClose={() => setOpen(false)}
      >
        <Versions post={post} />
      </ListDialog>
    </>
  )
}

function Versions({ post }: { post: Post }) {
  const query = useQuery({
    // The key contains the time of the last edit, so the cached list is never older than the post.
    queryKey: [...postQueryKeys.one(post.$id), 'edits', post.editedAt],
    queryFn: ({ signal }) => callApiOperation(listPostEditsEndpoint, { postId: post.$id }, signal),
  })
  return (
    <QueryView
      query={query}
      skeleton={<Skeleton className="mx-2 h-24" />}
      isEmpty={({ documents }) => documents.length === 0}
      empty={
        <p className="p-2 text-text-2">
          {en(
            'The text has not changed. Earlier photos are not kept.',
            'El texto no ha cambiado. Las fotos anteriores no se guardan.',
          )}
        </p>
      }
    >
      {({ documents }) => (
        <>
          <p className="px-2 pb-3 text-label text-text-2">
            {en(
              'Only you see earlier versions. Earlier photos are not kept.',
              'Solo tú ves las versiones anteriores. Las fotos anteriores no se guardan.',
            )}
          </p>
          <ol className="flex flex-col gap-2.5">
            {documents.map((edit) => (
              <li key={edit.until} className="rounded-input bg-sunken p-4">
                <p className="mb-2 text-meta text-text-2">
                  {en('Until ', 'Hasta el ')}
                  <time dateTime={edit.until}>{formatDateAndTime(new Date(edit.until))}</time>
                </p>
                <PostVersionText {...edit} />
              </li>
            ))}
          </ol>
        </>
      )}
    </QueryView>
  )
}
