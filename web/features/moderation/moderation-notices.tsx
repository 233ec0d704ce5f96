import { useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { markModerationNoticeReadEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { ModerationNotice } from '#contract/moderation/moderation-notices-and-appeals.ts'
import { callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Modal } from '#web/ui/modal.tsx'
import { AppealDialog } from './appeal-dialog.tsx'
import { moderationNoticesQuery } from './moderation-notices-query.ts'

const introductions: Record<ModerationNotice['kind'], string> = {
  warning: en(
    'Please read this message from the moderators before you continue.',
    'Las moderadoras te piden que leas esto antes de seguir.',
  ),
  hidden: en(
    'What you shared has been hidden. Only you can see it; if it’s a group, only its members can.',
    'Han ocultado lo que compartiste. Solo tú puedes verlo; si es un grupo, solo sus integrantes.',
  ),
  upheld: en('Your case was reviewed: the decision stands.', 'Revisamos tu caso: la decisión se mantiene.'),
  overturned: en(
    'Your case was reviewed: the decision was reversed. Groups that passed to other admins during a suspension may stay with them.',
    'Revisamos tu caso: la decisión se anula. Los grupos que pasaron a otras administradoras durante una suspensión pueden quedarse con ellas.',
  ),
}

/** After a comment is hidden, even its author no longer sees it. */
const commentIntroductions: Partial<Record<ModerationNotice['kind'], string>> = {
  hidden: en(
    'One of your comments was hidden. Nobody sees it now, and it cannot be restored.',
    'Ocultaron un comentario tuyo. Ya no lo ve nadie, y no se puede recuperar.',
  ),
  overturned: en(
    'Your case was reviewed: the decision was reversed. A comment that was hidden does not come back. Groups that passed to other admins during a suspension may stay with them.',
    'Revisamos tu caso: la decisión se anula. Un comentario que se ocultó no vuelve. Los grupos que pasaron a otras administradoras durante una suspensión pueden quedarse con ellas.',
  ),
}

const introductionOf = ({ kind, about }: ModerationNotice): string =>
  (about === 'comment' ? commentIntroductions[kind] : undefined) ?? introductions[kind]

export function ModerationNotices({ notices }: { notices: readonly ModerationNotice[] }) {
  const id = useId()
  const client = useQueryClient()
  const understood = useRef<HTMLButtonElement>(null)
  const [appealing, setAppealing] = useState(false)
  const notice = notices[0]
  const reading = useSingleFlightMutation({
    mutationFn: (noticeId: string) => callApiOperation(markModerationNoticeReadEndpoint, { noticeId }),
    onSuccess: () => client.invalidateQueries({ queryKey: moderationNoticesQuery.queryKey }),
  })
  if (!notice) return null
  return (
    <>
      {!appealing && (
        <Modal
          open
          role="alertdialog"
          labelledBy={`${id}-title`}
          describedBy={`${id}-text`}
          firstFocus={understood}
          // Escape only focuses the confirm button.
          onClose={() => understood.current?.focus()}
          className="w-[min(520px,calc(100%-32px))]"
        >
          <div className="p-5 md:p-7">
            <h2 id={`${id}-title`} className="heading text-2xl leading-[1.875rem]">
              {en('A note from the moderators', 'Una nota de las moderadoras')}
            </h2>
            <div id={`${id}-text`} className="mt-2">
              <p className="text-pretty text-text-2">{introductionOf(notice)}</p>
              {notice.words && (
                <blockquote
                  dir="auto"
                  className="mt-3 px-4 text-label text-pretty wrap-anywhere whitespace-pre-wrap text-text-2"
                >
                  {notice.words}
                </blockquote>
              )}
              {notice.post && (
                <div className="mt-3 px-4 text-label text-text-2">
                  <blockquote dir="auto" className="line-clamp-3 text-pretty wrap-anywhere">
                    {notice.post.caption}
                  </blockquote>
                  <Link
                    to={screenPaths.post(notice.post.$id)}
                    onClick={() => reading.mutate(notice.$id)}
                    className="hit-44 font-[640] text-brand-text underline-offset-3 hover:underline"
                  >
                    {en('See the post', 'Ver la publicación')}
                  </Link>
                </div>
              )}
              <p className="mt-4 text-label font-[620]">{en('Reason', 'Motivo')}</p>
              <p
                dir="auto"
                className="mt-1.5 rounded-photo bg-sunken p-4 text-pretty wrap-anywhere whitespace-pre-wrap"
              >
                {notice.text}
              </p>
            </div>
            {reading.isError && (
              <p role="alert" className="mt-4 text-label font-[550] text-danger">
                {genericErrorMessage}
              </p>
            )}
            <div className="mt-6 flex justify-end gap-2.5 max-md:flex-col-reverse">
              {notice.can.appeal && (
                <Button kind="ghost" onClick={() => setAppealing(true)}>
                  {en('Ask for a review', 'Pedir una revisión')}
                </Button>
              )}
              <Button ref={understood} busy={reading.isPending} onClick={() => reading.mutate(notice.$id)}>
                {en('I understand', 'Entendido')}
              </Button>
            </div>
          </div>
        </Modal>
      )}
      {notice.caseId && (
        <AppealDialog
          key={notice.$id}
          open={appealing}
          caseId={notice.caseId}
          onClose={() => setAppealing(false)}
        />
      )}
    </>
  )
}
