import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useId, useRef } from 'react'
import type { VouchRequest } from '#contract/community/applications.ts'
import { en } from '#contract/language.ts'
import { useUpdatePrivacySettings } from '#web/features/people/privacy/mutations.ts'
import { privacySettingsQuery } from '#web/features/people/privacy/queries.ts'
import { screenPaths } from '#web/paths.ts'
import { PersonSkeleton } from '#web/ui/avatar-with-name.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { useConfirm } from '#web/ui/use-confirm.tsx'
import { useAnswerVouchRequest } from './application-mutations.ts'
import { vouchRequestsQuery } from './queries.ts'
import { UnconfirmedEmailLabel } from './unconfirmed-email-label.tsx'

export function VouchRequestsScreen() {
  const query = useQuery(vouchRequestsQuery)
  const list = useRef<HTMLDivElement>(null)
  return (
    <div className="mx-auto max-w-[720px]">
      <ButtonLink to={screenPaths.notifications()} kind="ghost" className="-ml-3 pl-3">
        <ArrowLeft aria-hidden size={20} strokeWidth={1.9} />
        {en('Notifications', 'Novedades')}
      </ButtonLink>
      <div className="mx-1 mt-1 mb-2 md:mx-0">
        <PageTitle title={en('Do you know them?', '¿Las conoces?')} />
      </div>
      <p className="mx-1 mb-5 max-w-[62ch] text-pretty text-text-2 md:mx-0">
        {en(
          'They want to join and say that you know them. Only the operators see your answer, and they decide.',
          'Quieren unirse y dicen que las conoces. Solo las operadoras ven tu respuesta, y ellas deciden.',
        )}
      </p>
      <section ref={list} tabIndex={-1} aria-label={en('Requests', 'Solicitudes')} className="outline-none">
        <QueryView
          query={query}
          skeleton={<RowsSkeleton />}
          noticeClassName="mb-3.5"
          isEmpty={({ documents }) => documents.length === 0}
          empty={
            <div className="card">
              <EmptyState title={en('Nobody is waiting for your answer', 'Nadie espera tu respuesta')} />
            </div>
          }
        >
          {({ documents }) => (
            <ul className="card divide-y divide-border">
              {documents.map((request) => (
                <VouchRequestRow
                  key={request.$id}
                  request={request}
                  onAnswered={() => list.current?.focus()}
                />
              ))}
            </ul>
          )}
        </QueryView>
      </section>
      <VouchRequestsSwitch onChanged={() => list.current?.focus()} />
    </div>
  )
}

/** Turns the questions off or on, as the privacy settings do. Shown once the setting is loaded. */
function VouchRequestsSwitch({ onChanged }: { onChanged: () => void }) {
  const takes = useQuery(privacySettingsQuery).data?.takesVouchRequests
  const { mutate, isPending } = useUpdatePrivacySettings()
  const { dialog, ask } = useConfirm({
    title: en('Stop asking you?', '¿Dejamos de preguntarte?'),
    text: en(
      'Neither applicants nor operators will know. You can change it in Settings → Privacy.',
      'Nadie lo sabrá, ni quienes envían solicitudes ni las operadoras. Lo cambias en Ajustes → Privacidad.',
    ),
    confirm: en('Don’t ask me again', 'No preguntarme más'),
    cancel: en('Cancel', 'Cancelar'),
  })
  if (takes === undefined) return null

  async function change(takesVouchRequests: boolean) {
    if (!takesVouchRequests && !(await ask())) return
    mutate({ takesVouchRequests }, { onSuccess: onChanged })
  }

  return (
    <div className="mx-1 mt-5 flex flex-wrap items-center gap-x-4 gap-y-2 md:mx-0">
      {!takes && (
        <p role="status" className="text-pretty text-text-2">
          {en('We don’t ask you about applicants.', 'No te preguntamos por quienes quieren unirse.')}
        </p>
      )}
      <Button kind="outline" size="sm" busy={isPending} onClick={() => void change(!takes)}>
        {takes ? en('Don’t ask me again', 'No preguntarme más') : en('Ask me again', 'Volver a preguntarme')}
      </Button>
      {dialog}
    </div>
  )
}

function VouchRequestRow({ request, onAnswered }: { request: VouchRequest; onAnswered: () => void }) {
  const { username, emailConfirmed, $createdAt } = request
  const nameId = useId()
  const answer = useAnswerVouchRequest(request, onAnswered)
  return (
    <li
      aria-labelledby={nameId}
      className="flex items-center gap-3.5 p-3.5 max-md:flex-wrap max-md:gap-y-3 md:px-5 md:py-4"
    >
      <div className="min-w-0 flex-1 max-md:basis-full">
        <p id={nameId} className="font-[640] wrap-anywhere">
          @{username}
        </p>
        <p className="text-label text-text-2">
          <RelativeTime at={$createdAt} />
        </p>
        {!emailConfirmed && <UnconfirmedEmailLabel className="mt-1" />}
      </div>
      <div className="flex flex-none gap-2 max-md:w-full max-md:*:flex-1">
        <Button
          kind="quiet"
          size="sm"
          disabled={answer.isPending}
          aria-label={en(`I don’t know @${username}`, `No conozco a @${username}`)}
          onClick={() => answer.mutate(false)}
        >
          {en('I don’t know her', 'No la conozco')}
        </Button>
        <Button
          size="sm"
          disabled={answer.isPending}
          aria-label={en(`I know @${username}`, `Conozco a @${username}`)}
          onClick={() => answer.mutate(true)}
        >
          {en('I know her', 'La conozco')}
        </Button>
      </div>
    </li>
  )
}

function RowsSkeleton() {
  return (
    <div className="card px-3.5 md:px-5">
      {['a', 'b'].map((row) => (
        <PersonSkeleton key={row} avatar="size-12" className="py-4" />
      ))}
    </div>
  )
}
