import { Ban, Hand, type LucideIcon, Phone } from 'lucide-react'
import { Fragment } from 'react'
import type { createReportEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { useRestrictMember } from '#web/features/people/mutes-and-restrictions/restriction-mutations.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import type { ReportedSubject } from './reported-subject.ts'
import { StepButtons } from './step-controls.tsx'

type Props = {
  report: OperationOutput<typeof createReportEndpoint>
  person: ReportedSubject['person']
  onBlock: () => void
  onClose: () => void
}

export function SentStep({ report: { desk, helpLines }, person, onBlock, onClose }: Props) {
  return (
    <>
      <p className="mt-1 text-pretty text-text-2">
        {en('You’ll find what ', 'Encontrarás lo que ')}
        {desk === 'group' ? en('she decides', 'decida') : en('they decide', 'decidan')}
        {en(' under Privacy and safety → Your reports.', ' en Privacidad y seguridad → Tus denuncias.')}
      </p>
      {person && <BlockOrRestrict person={person} onBlock={onBlock} onRestricted={onClose} />}
      {helpLines.length > 0 && <HelpLines lines={helpLines} />}
      <StepButtons>
        <Button onClick={onClose}>{en('Done', 'Listo')}</Button>
      </StepButtons>
    </>
  )
}

type BlockOrRestrictProps = {
  person: NonNullable<ReportedSubject['person']>
  onBlock: () => void
  onRestricted: () => void
}

function BlockOrRestrict({ person, onBlock, onRestricted }: BlockOrRestrictProps) {
  const restrict = useRestrictMember(person)
  return (
    <div className="mt-4.5 rounded-photo bg-sunken px-2 py-1.5">
      <WayOut
        icon={Ban}
        danger
        label={en(`Block ${person.name}`, `Bloquear a ${person.name}`)}
        text={en('You won’t be able to see or contact each other.', 'No podrán verse ni escribirse.')}
        onChoose={onBlock}
      />
      <WayOut
        icon={Hand}
        label={en('Restrict her instead', 'Mejor restringirla')}
        text={en(
          'Her messages wait in your requests. She won’t know.',
          'Sus mensajes esperan en tus solicitudes. No lo sabrá.',
        )}
        busy={restrict.isPending}
        onChoose={() => restrict.mutate(undefined, { onSuccess: onRestricted })}
      />
    </div>
  )
}

type WayOutProps = {
  icon: LucideIcon
  label: string
  text: string
  danger?: boolean
  busy?: boolean
  onChoose: () => void
}

function WayOut({ icon: Icon, label, text, danger = false, busy = false, onChoose }: WayOutProps) {
  return (
    <button
      type="button"
      aria-busy={busy || undefined}
      onClick={() => !busy && onChoose()}
      className="flex w-full items-start gap-3.5 rounded-input px-3 py-2.5 text-left hover:bg-border"
    >
      <Icon
        aria-hidden
        size={20}
        strokeWidth={2}
        className={cx('mt-0.5 flex-none', danger ? 'text-danger' : 'text-text-2')}
      />
      <span className="min-w-0 wrap-anywhere">
        <span className={cx('block font-[640]', danger && 'text-danger')}>{label}</span>
        <span className="block text-meta text-pretty text-text-2">{text}</span>
      </span>
    </button>
  )
}

type HelpLine = OperationOutput<typeof createReportEndpoint>['helpLines'][number]

const countryNames = new Intl.DisplayNames(en('en', 'es'), { type: 'region' })

function HelpLines({ lines }: { lines: readonly HelpLine[] }) {
  return (
    <p className="mt-4.5 flex items-center gap-3.5 rounded-photo bg-accent-soft px-4 py-3.5 text-label text-pretty text-on-accent-soft">
      <Phone aria-hidden size={24} strokeWidth={1.9} className="flex-none" />
      <span>
        {en('Are you in danger now? ', '¿Estás en peligro ahora? ')}
        <PhoneNumber number="112" />.{' '}
        {lines.map(({ country, number }) => (
          <Fragment key={`${country}${number}`}>
            {en('In ', 'En ')}
            {countryNames.of(country)}, <PhoneNumber number={number} />
            {en(' answers day and night.', ' atiende día y noche.')}{' '}
          </Fragment>
        ))}
        {lines.length === 1
          ? en(
              'It won’t appear on your bill. Delete it from your call history.',
              'No aparece en la factura. Bórralo de tu historial de llamadas.',
            )
          : en(
              'They won’t appear on your bill. Delete them from your call history.',
              'No aparecen en la factura. Bórralos de tu historial de llamadas.',
            )}
      </span>
    </p>
  )
}

function PhoneNumber({ number }: { number: string }) {
  return (
    <a
      href={`tel:${number.replaceAll(' ', '')}`}
      className="text-body font-bold whitespace-nowrap hover:underline"
    >
      {number}
    </a>
  )
}
