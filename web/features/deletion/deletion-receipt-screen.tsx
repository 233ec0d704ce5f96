import { BadgeCheck, CalendarClock, Download, FileCheck, LoaderCircle } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useParams } from 'react-router'
import { checkReceiptEndpoint, getReceiptEndpoint } from '#contract/generated-endpoints.ts'
import { es } from '#contract/language.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { PublicPageLayout } from '#web/features/community/public-page-layout.tsx'
import { useVisitorQuery } from '#web/features/community/use-visitor-query.ts'
import { formatBytes } from '#web/format-bytes.ts'
import { formatDay, formatDayAndYear } from '#web/format-day.ts'
import { useCommunityIdentity, useCommunityName } from '#web/navigation/community-identity.ts'
import { screenPaths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type State = OperationOutput<typeof getReceiptEndpoint>
type Receipt = NonNullable<State['receipt']>

const pollMs = 3000

export function DeletionReceiptScreen() {
  const { receiptId = '' } = useParams()
  const load = useCallback(
    (signal?: AbortSignal) => callApiOperation(getReceiptEndpoint, { receiptId }, signal),
    [receiptId],
  )
  const query = useVisitorQuery(load)
  const { name = 'juntas' } = useCommunityIdentity()
  const isUnknown = query.error instanceof ApiError && [400, 404].includes(query.error.code)
  return (
    <PublicPageLayout name={name}>
      <QueryView
        query={query}
        title={isUnknown ? undefined : es('Recibo de borrado', 'Deletion receipt')}
        skeleton={<Skeleton className="h-120 rounded-card" />}
        failure={isUnknown ? <NoReceipt /> : undefined}
      >
        {(found) => <Found found={found} load={load} />}
      </QueryView>
    </PublicPageLayout>
  )
}

type FoundProps = { found: State; load: () => Promise<State> }

function Found({ found, load }: FoundProps) {
  const [state, setState] = useState(found)
  useEffect(() => {
    if (state.state !== 'erasing') return
    const timer = setInterval(() => load().then(setState, () => {}), pollMs)
    return () => clearInterval(timer)
  }, [state.state, load])
  if (state.receipt) return <ReceiptCard receipt={state.receipt} />
  return state.state === 'waiting' ? <Waiting eraseAfter={state.eraseAfter} /> : <Erasing />
}

const sealColors = {
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
}

function Card({
  icon: Icon,
  color,
  children,
}: {
  icon: typeof FileCheck
  color: keyof typeof sealColors
  children: ReactNode
}) {
  return (
    <article className="card p-6 md:p-8">
      <span className={cx('mb-4 grid size-15 place-items-center rounded-photo', sealColors[color])}>
        <Icon aria-hidden size={30} strokeWidth={1.8} />
      </span>
      {children}
    </article>
  )
}

function Waiting({ eraseAfter }: { eraseAfter: string }) {
  const title = es(
    `Se borra el ${formatDay(eraseAfter, 'es')}`,
    `It is deleted on ${formatDay(eraseAfter, 'en')}`,
  )
  return (
    <Card icon={CalendarClock} color="warning">
      <PageTitle title={title} />
      <p className="mt-1.5 mb-5 text-pretty text-text-2">
        {es(
          'Desde ahora nadie ve tu cuenta. Hasta ese día puedes volver: entra como siempre, o por el enlace de nuestro correo si te llegó. Guarda esta dirección: aquí estará el recibo.',
          'Nobody can see your account now. Until that day you can come back: sign in as usual, or use the link in our email if you received one. Keep this address: the receipt will be here.',
        )}
      </p>
      <ButtonLink to={screenPaths.signIn()} kind="soft">
        {es('Entrar', 'Sign in')}
      </ButtonLink>
    </Card>
  )
}

function Erasing() {
  return (
    <Card icon={LoaderCircle} color="warning">
      <div role="status">
        <PageTitle title={es('Se está borrando', 'It is being deleted')} />
        <p className="mt-1.5 text-pretty text-text-2">
          {es(
            'Tarda unos minutos. El recibo aparecerá aquí cuando todo esté borrado; puedes cerrar esta página.',
            'This takes a few minutes. The receipt will appear here when everything is deleted; you can close this page.',
          )}
        </p>
      </div>
    </Card>
  )
}

function NoReceipt() {
  const community = useCommunityName()
  return (
    <Card icon={FileCheck} color="warning">
      <PageTitle
        title={es('Sin recibo', 'No receipt')}
        heading={es('Aquí no hay ningún recibo', 'There is no receipt here')}
      />
      <p className="mt-1.5 mb-5 text-pretty text-text-2">
        {es(
          'Comprueba la dirección. Si te llegó nuestro último correo, está en él.',
          'Check the address. If you received our last email, it contains it.',
        )}
      </p>
      <ButtonLink to={screenPaths.signIn()} kind="soft">
        {es(`Ir a ${community}`, `Go to ${community}`)}
      </ButtonLink>
    </Card>
  )
}

const lines = ({ counts, goneFromBackupsAt }: Receipt): [what: string, count: string][] => [
  [
    es('Fotos originales, con todas sus versiones', 'Original photos, with all their versions'),
    `${number(counts.photos)} · ${formatBytes(counts.bytes, es('es', 'en'))}`,
  ],
  [es('Publicaciones', 'Posts'), number(counts.posts)],
  [es('Comentarios', 'Comments'), number(counts.comments)],
  [es('Me gusta, reacciones y guardados', 'Likes, reactions and saves'), number(counts.marks)],
  [es('Seguimientos, grupos y solicitudes', 'Follows, groups and requests'), number(counts.ties)],
  [es('Correo, contraseña, llaves y dispositivos', 'Email, password, passkeys and devices'), 'todo'],
  [es('Novedades', 'Notifications'), number(counts.notifications)],
  [es('Mensajes retirados', 'Messages unsent'), number(counts.messagesTakenBack)],
  [
    es('Mensajes que otras conservan, sin tu nombre', 'Messages that others keep, without your name'),
    number(counts.messagesKept),
  ],
  [
    es('Desaparece de la última copia de seguridad', 'Deleted from the last backup'),
    formatDayAndYear(goneFromBackupsAt),
  ],
]

function ReceiptCard({ receipt }: { receipt: Receipt }) {
  const { erasedAt, signed, key: keyName } = receipt
  return (
    <Card icon={FileCheck} color="success">
      <PageTitle title={es('Recibo de borrado', 'Deletion receipt')} />
      <p className="mt-1.5 mb-4.5 max-w-[56ch] text-pretty text-text-2">
        {es('El ', 'On ')}
        {formatDayAndYear(erasedAt)}
        {es(' a las ', ' at ')}
        {formatTime(erasedAt)}
        {es(
          ' borramos una cuenta con todo lo que tenía. Este recibo no dice de quién era: solo tú sabes que es tuyo.',
          ' we deleted an account with everything in it. This receipt does not say whose: only you know that it is yours.',
        )}
      </p>
      <dl className="divide-y divide-border border-t border-border">
        {lines(receipt).map(([what, value]) => (
          <div key={what} className="flex justify-between gap-4 py-2.5">
            <dt className="min-w-0 text-pretty text-text-2">{what}</dt>
            <dd className="flex-none font-[680] whitespace-nowrap tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 rounded-input bg-sunken px-4 py-3 text-label text-text-2">
        <p>
          <b className="text-text">
            {es('Firmado por ', 'Signed by ')}
            {location.host}
          </b>
          {es(' · Ed25519 · clave ', ' · Ed25519 · key ')}
          {keyName}
        </p>
        <p className="line-clamp-2 break-all">{signed}</p>
      </div>
      <ReceiptActions signed={signed} />
    </Card>
  )
}

type Checked = 'unknown' | 'checking' | 'valid' | 'foreign' | 'failed'

const sentences: Record<Checked, string> = {
  unknown: '',
  checking: '',
  valid: es('La firma es válida.', 'The signature is valid.'),
  foreign: es('Este recibo no es nuestro.', 'This receipt is not ours.'),
  failed: es('No hemos podido comprobarla. Prueba otra vez.', 'We could not check it. Try again.'),
}

function ReceiptActions({ signed }: Pick<Receipt, 'signed'>) {
  const [checked, setChecked] = useState<Checked>('unknown')

  async function check() {
    setChecked('checking')
    try {
      const { valid } = await callApiOperation(checkReceiptEndpoint, { signed })
      setChecked(valid ? 'valid' : 'foreign')
    } catch {
      setChecked('failed')
    }
  }

  return (
    <>
      <div className="mt-4.5 flex flex-wrap gap-2.5">
        <Button kind="soft" onClick={() => saveAsFile(signed)}>
          <Download aria-hidden size={18} strokeWidth={2} />
          {es('Guardar el recibo', 'Save the receipt')}
        </Button>
        <Button kind="ghost" busy={checked === 'checking'} onClick={check}>
          <BadgeCheck aria-hidden size={18} strokeWidth={2} />
          {es('Comprobar la firma', 'Check the signature')}
        </Button>
      </div>
      <p
        role="status"
        className={cx('mt-3 font-[620] empty:hidden', checked === 'valid' ? 'text-success' : 'text-danger')}
      >
        {sentences[checked]}
      </p>
    </>
  )
}

function saveAsFile(signed: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([`${signed}\n`], { type: 'text/plain' }))
  link.download = 'juntas-recibo.txt'
  link.click()
  URL.revokeObjectURL(link.href)
}

const number = (value: number) => value.toLocaleString(es('es', 'en'), { useGrouping: 'always' })

const formatTime = (iso: string) =>
  new Date(iso).toLocaleTimeString(es('es', 'en-GB'), { hour: '2-digit', minute: '2-digit' })
