import { useMutation } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { getPostEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { Button } from '#web/ui/button.tsx'
import { ListDialog } from '#web/ui/modal.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { PostVersionText } from './post-version-text.tsx'

type Props = { postId: string; busy: boolean; onSaveAnyway: () => void }

/** The post changed while its form was open. */
export function EditConflictNotice({ postId, busy, onSaveAnyway }: Props) {
  const stored = useMutation({ mutationFn: () => callApiOperation(getPostEndpoint, { postId }) })
  return (
    <div
      role="alert"
      className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-input bg-warning-soft px-4 py-3 text-label text-warning"
    >
      <CircleAlert aria-hidden size={20} strokeWidth={2.1} className="flex-none" />
      <p className="min-w-0 flex-1">
        {en('This post was changed in the meantime.', 'Esta publicación cambió entretanto.')}
      </p>
      <Button kind="ghost" type="button" onClick={() => stored.mutate()}>
        {en('Show', 'Mostrar')}
      </Button>
      <Button kind="ghost" type="button" busy={busy} onClick={onSaveAnyway}>
        {en('Save anyway', 'Guardar igualmente')}
      </Button>
      <ListDialog
        title={en('The post as it is now', 'La publicación como está ahora')}
        open={stored.status !== 'idle'}
        onClose={stored.reset}
      >
        <div className="px-2 text-body text-text">
          {stored.data ? (
            <PostVersionText {...stored.data} />
          ) : stored.isError ? (
            <p>{en('We couldn’t load this.', 'No pudimos cargarlo.')}</p>
          ) : (
            <Skeleton className="h-24" />
          )}
        </div>
      </ListDialog>
    </div>
  )
}
