import { useInfiniteQuery } from '@tanstack/react-query'
import { CircleCheck, CircleHelp, CircleX } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { Application } from '#contract/community/applications.ts'
import { maxDecisionSentenceLength } from '#contract/community/community-limits.ts'
import { en } from '#contract/language.ts'
import { CharacterCounter } from '#web/forms/character-counter.tsx'
import { LabelledFormField } from '#web/forms/labelled-form-field.tsx'
import { TextArea } from '#web/forms/text-area.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useDecideApplication, useSendsEmail } from './application-mutations.ts'
import { applicationsQuery } from './queries.ts'
import { UnconfirmedEmailLabel } from './unconfirmed-email-label.tsx'

export function ApplicationsSection() {
  const query = useInfiniteQuery(applicationsQuery)
  const sendsEmail = useSendsEmail()
  const list = useRef<HTMLDivElement>(null)
  return (
    <>
      <p className="mx-1 mb-4.5 max-w-[62ch] text-pretty text-text-2 md:mx-0">
        {sendsEmail
          ? en(
              'Each applicant gets an email with your decision. Her application is deleted 30 days later.',
              'Cada persona recibe un correo con tu decisión. Su solicitud se borra 30 días después.',
            )
          : en(
              'Applicants see your decision when they sign in, because this community sends no email. An application is deleted 30 days later.',
              'Cada persona ve tu decisión al entrar, porque esta comunidad no envía correos. Su solicitud se borra 30 días después.',
            )}
      </p>
      <section
        ref={list}
        tabIndex={-1}
        aria-label={en('Waiting applications', 'Solicitudes en espera')}
        className="outline-none"
      >
        <QueryView
          query={query}
          skeleton={<Skeleton className="h-52 rounded-card" />}
          noticeClassName="mb-3.5"
          isEmpty={({ pages }) =>
            pages.every(({ documents }) => documents.length === 0) && !query.hasNextPage
          }
          empty={
            <div className="card">
              <EmptyState
                title={en('Nobody is waiting', 'Nadie espera')}
                text={en(
                  'People can apply if “Who can join” is set to “With approval”.',
                  'Se pueden enviar solicitudes si «Quién puede unirse» está en «Con aprobación».',
                )}
              />
            </div>
          }
        >
          {({ pages }) => (
            <>
              <ul className="flex flex-col gap-3.5">
                {pages
                  .flatMap(({ documents }) => documents)
                  .map((application) => (
                    <ApplicationCard
                      key={application.$id}
                      application={application}
                      onDecided={() => list.current?.focus()}
                    />
                  ))}
              </ul>
              <LoadMore query={query} what={en('applications', 'solicitudes')} />
            </>
          )}
        </QueryView>
      </section>
    </>
  )
}

type CardProps = {
  application: Application
  /** The card, which has the focus, is about to disappear. */
  onDecided: () => void
}

function ApplicationCard({ application, onDecided }: CardProps) {
  const { name, username, answer, emailConfirmed, voucher, $createdAt } = application
  const nameId = useId()
  /** True asks about approval. Undefined while no dialog is open. */
  const [confirming, setConfirming] = useState<boolean>()
  const decision = useDecideApplication(application, onDecided)

  return (
    <li aria-labelledby={nameId} className="card p-4 md:p-5">
      <p id={nameId} className="font-[640] wrap-anywhere">
        {name}
      </p>
      <p className="text-label text-text-2 wrap-anywhere">
        @{username} · <RelativeTime at={$createdAt} />
      </p>
      {!emailConfirmed && <UnconfirmedEmailLabel className="mt-2" />}
      <p dir="auto" className="mt-3 max-w-[70ch] whitespace-pre-line text-pretty wrap-anywhere">
        {answer}
      </p>
      {voucher && <VoucherLine voucher={voucher} />}
      <div className="mt-4 flex gap-2 max-md:*:flex-1">
        <Button
          kind="quiet"
          size="sm"
          disabled={decision.isPending}
          aria-label={en(`Decline ${name}`, `Rechazar a ${name}`)}
          onClick={() => setConfirming(false)}
        >
          {en('Decline', 'Rechazar')}
        </Button>
        <Button
          size="sm"
          disabled={decision.isPending}
          aria-label={en(`Approve ${name}`, `Aceptar a ${name}`)}
          onClick={() => setConfirming(true)}
        >
          {en('Approve', 'Aceptar')}
        </Button>
      </div>
      {confirming !== undefined && (
        <DecisionDialog
          name={name}
          approves={confirming}
          onConfirm={(sentence) => {
            setConfirming(undefined)
            decision.mutate({ approves: confirming, sentence })
          }}
          onCancel={() => setConfirming(undefined)}
        />
      )}
      {decision.dialog}
    </li>
  )
}

type DialogProps = {
  name: string
  approves: boolean
  onConfirm: (sentence: string) => void
  onCancel: () => void
}

function DecisionDialog({ name, approves, onConfirm, onCancel }: DialogProps) {
  const [sentence, setSentence] = useState('')
  const sendsEmail = useSendsEmail()
  return (
    <ConfirmDialog
      open
      title={
        approves
          ? en(`Approve ${name}?`, `¿Aceptar a ${name}?`)
          : en(`Decline ${name}?`, `¿Rechazar a ${name}?`)
      }
      text={
        approves
          ? en('She can sign in right away.', 'Puede entrar al momento.')
          : en('She can apply again.', 'Puede enviar otra solicitud.')
      }
      confirm={approves ? en('Approve', 'Aceptar') : en('Decline', 'Rechazar')}
      cancel={en('Cancel', 'Cancelar')}
      danger={!approves}
      onConfirm={() => onConfirm(sentence)}
      onCancel={onCancel}
    >
      {sendsEmail && (
        <div className="mb-6">
          <LabelledFormField
            label={en('Message for the email (optional)', 'Mensaje para el correo (opcional)')}
            counter={<CharacterCounter length={sentence.length} max={maxDecisionSentenceLength} />}
          >
            {(control) => (
              <TextArea
                {...control}
                rows={3}
                maxLength={maxDecisionSentenceLength}
                value={sentence}
                onChange={({ target }) => setSentence(target.value)}
              />
            )}
          </LabelledFormField>
        </div>
      )}
    </ConfirmDialog>
  )
}

function VoucherLine({ voucher }: { voucher: NonNullable<Application['voucher']> }) {
  const { username, name, vouched } = voucher
  const who = name === null ? `@${username}` : `${name} (@${username})`
  const [Icon, className, text] =
    name === null
      ? ([
          CircleX,
          'text-text-2',
          en(
            `She named ${who}, but nobody has this username.`,
            `Nombró a ${who}, pero nadie tiene ese nombre de usuaria.`,
          ),
        ] as const)
      : vouched === null
        ? ([
            CircleHelp,
            'text-text-2',
            en(`She named ${who}, who has not answered yet.`, `Nombró a ${who}, que aún no ha respondido.`),
          ] as const)
        : vouched
          ? ([CircleCheck, 'text-success', en(`${who} knows her.`, `${who} la conoce.`)] as const)
          : ([CircleX, 'text-warning', en(`${who} does not know her.`, `${who} no la conoce.`)] as const)
  return (
    <p className={`mt-3 flex items-start gap-2 text-label font-[560] wrap-anywhere ${className}`}>
      <Icon aria-hidden size={18} strokeWidth={2} className="mt-px flex-none" />
      {text}
    </p>
  )
}
