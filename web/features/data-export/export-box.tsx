import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleDashed, Download, History, Lock, PackageCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AccountExport, AccountExports } from '#contract/data-export/account-export.ts'
import { type ExportStep, exportSteps } from '#contract/data-export/export-steps.ts'
import { en } from '#contract/language.ts'
import { ApiError } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { formatDeviceDescription } from '#web/features/account/settings/device-description.ts'
import { SettingsBox, SettingsRow } from '#web/features/account/settings/settings-box-and-rows.tsx'
import {
  ReauthenticationCancelled,
  type ReauthenticationFactors,
  useReauthentication,
} from '#web/features/account/settings/use-reauthentication.tsx'
import { formatBytes } from '#web/format-bytes.ts'
import { formatDay } from '#web/format-day.ts'
import { formatNumber } from '#web/format-number.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useDiscardExport, useDownloadExport, useRequestExport } from './export-mutations.ts'
import { exportQuery } from './export-queries.ts'

type Props = {
  /** The factors of an account that is being deleted, which can open no other page. */
  closing?: ReauthenticationFactors
}

export function ExportBox({ closing }: Props) {
  return (
    <QueryView
      query={useQuery(exportQuery)}
      skeleton={<Skeleton className="mb-4 h-52 rounded-card" />}
      noticeClassName="mb-3.5"
    >
      {({ export: copy, earlier }) => (
        <>
          {copy?.state === 'gathering' ? (
            <Gathering {...copy} isClosing={closing !== undefined} />
          ) : (
            <Copy copy={copy} closing={closing} />
          )}
          {earlier.length > 0 && <Earlier copies={earlier} />}
        </>
      )}
    </QueryView>
  )
}

type CopyProps = { copy: AccountExport | null; closing: ReauthenticationFactors | undefined }

function Copy({ copy, closing }: CopyProps) {
  return (
    <section aria-label={en('Download your data', 'Descarga tus datos')} className="card mb-4 p-5">
      <h2 className="heading text-lead">{en('Download your data', 'Descarga tus datos')}</h2>
      <p className="mt-1 mb-4 text-pretty text-label text-text-2">
        {en(
          'One file with your original photos, a page you can read offline, and the same content as data files. It contains your posts, likes, saves, follows, groups, messages you sent and received, settings and devices.',
          'Un archivo con tus fotos originales, una página para leerlo sin conexión y los mismos datos en archivos. Contiene tus publicaciones, me gusta, guardados, seguimientos, grupos, mensajes enviados y recibidos, ajustes y dispositivos.',
        )}
      </p>
      {copy?.state === 'ready' && !copy.outdated ? (
        <Ready {...copy} closing={closing} />
      ) : (
        <Prepare failed={copy?.state === 'failed'} outdated={copy?.outdated === true} />
      )}
    </section>
  )
}

function Prepare({ failed, outdated }: { failed: boolean; outdated: boolean }) {
  const ask = useRequestExport()
  return (
    <>
      {failed && (
        <Note color="danger">
          {en('Something went wrong. We have been notified.', 'Algo ha fallado. Ya nos llegó el aviso.')}
        </Note>
      )}
      {outdated && (
        <Note color="warning">
          {en(
            'Some of this data has since been deleted. Prepare a new download.',
            'Parte de estos datos se borró después. Prepara otra descarga.',
          )}
        </Note>
      )}
      <Failure error={ask.error} />
      <Button busy={ask.isPending} onClick={() => ask.mutate()}>
        {failed ? en('Try again', 'Volver a intentar') : en('Prepare a download', 'Preparar una descarga')}
      </Button>
    </>
  )
}

function Ready({ photos, bytes, diesAt, closing }: AccountExport & Pick<CopyProps, 'closing'>) {
  const { dialog, withReauthentication } = useReauthentication('strongest', closing)
  const download = useDownloadExport(withReauthentication)
  const discard = useDiscardExport()
  const size = formatBytes(bytes ?? 0, en('en', 'es'))
  return (
    <>
      <Note color="success">
        <b className="font-[680]">{en('Ready.', 'Lista.')}</b> {countPhotos(photos)}, {size}
        {en('. The link works until', '. El enlace vale hasta')} {formatDay(diesAt ?? '', en('en', 'es'))}
        {en(
          ', only for you. If the download is interrupted, it resumes where it stopped.',
          ', solo para ti. Si la descarga se corta, sigue donde quedó.',
        )}
      </Note>
      <Failure error={download.error ?? discard.error} />
      <div className="flex flex-wrap gap-2.5">
        <Button busy={download.isPending} onClick={() => download.mutate()}>
          <Download aria-hidden size={20} strokeWidth={2} />
          {en('Download ', 'Descargar ')}
          {size}
        </Button>
        <Button kind="ghost" busy={discard.isPending} onClick={() => discard.mutate()}>
          {en('Discard it', 'Descartarla')}
        </Button>
      </div>
      {dialog}
    </>
  )
}

const formatAskedDay = (iso: string) =>
  new Date(iso).toLocaleDateString(en('en-GB', 'es'), { day: 'numeric', month: 'short', year: 'numeric' })

function Earlier({ copies }: { copies: AccountExports['earlier'] }) {
  return (
    <SettingsBox>
      <SettingsRow
        icon={History}
        title={en('Earlier downloads', 'Descargas anteriores')}
        text={copies.map(({ askedAt, downloadedWith }) => (
          <span key={askedAt} className="block">
            {formatAskedDay(askedAt)}
            {downloadedWith === null
              ? en(', not downloaded', ', sin descargar')
              : en(
                  `, downloaded from ${formatDeviceDescription(downloadedWith)}`,
                  `, descargada desde ${formatDeviceDescription(downloadedWith)}`,
                )}
          </span>
        ))}
      />
    </SettingsBox>
  )
}

const stepLabels: Record<ExportStep, string> = {
  profile: en('Profile, settings and devices', 'Perfil, ajustes y dispositivos'),
  posts: en('Posts, likes and saves', 'Publicaciones, me gusta y guardados'),
  people: en('Follows and groups', 'Seguimientos y grupos'),
  messages: en('Messages', 'Mensajes'),
  photos: en('Original photos', 'Fotos originales'),
  page: en('Page to read it with', 'Página para leerla'),
}

type GatheringProps = AccountExport & { isClosing: boolean }

function Gathering({ step, photos, photosRead, secondsLeft, isClosing }: GatheringProps) {
  const stop = useDiscardExport()
  const done = step === null ? exportSteps.length : exportSteps.indexOf(step)
  // Exports consist mostly of photos, so these count as nine tenths of the progress.
  const share = photos === 0 ? 1 : photosRead / photos
  const percent = Math.round((share * 0.9 + (done / exportSteps.length) * 0.1) * 100)
  return (
    <>
      <section aria-label={en('Preparing your download', 'Preparando tu descarga')} className="card mb-4 p-5">
        <h2 className="heading text-lead">{en('Preparing your download', 'Preparando tu descarga')}</h2>
        <p className="mt-1 mb-4 text-pretty text-label text-text-2">
          {isClosing
            ? en(
                'You can close this page. Sign in again later to download the file.',
                'Puedes cerrar esta página. Entra otra vez más tarde para descargar el archivo.',
              )
            : en(
                'You can close this page. We’ll notify you in the app when it is ready, and by email if this community sends any.',
                'Puedes cerrar esta página. Te avisamos en Novedades cuando esté lista, y por correo si esta comunidad los envía.',
              )}
        </p>
        <div
          role="progressbar"
          aria-label={en('Your data', 'Tus datos')}
          aria-valuenow={percent}
          className="h-2.5 overflow-hidden rounded-full bg-sunken"
        >
          <div
            className="h-full origin-left bg-brand transition-transform duration-300"
            style={{ transform: `scaleX(${percent / 100})` }}
          />
        </div>
        <p className="mt-2.5 mb-4 flex justify-between gap-3 text-label text-text-2 tabular-nums">
          <span>
            {photosRead}
            {en(' of ', ' de ')}
            {countPhotos(photos)}
          </span>
          <span>{describeTimeLeft(secondsLeft)}</span>
        </p>
        <ul className="mb-3">
          {exportSteps.map((each, at) => (
            <Step key={each} done={at < done}>
              {stepLabels[each]}
            </Step>
          ))}
        </ul>
        <Failure error={stop.error} />
        <Button kind="outline" className="max-md:w-full" busy={stop.isPending} onClick={() => stop.mutate()}>
          {en('Stop', 'Parar')}
        </Button>
      </section>
      <p className="mb-4 flex gap-3 rounded-photo bg-sunken px-4 py-3.5 text-pretty text-label text-text-2">
        <Lock aria-hidden size={20} strokeWidth={1.9} className="mt-0.5 flex-none" />
        {en(
          'The file is built from your original photos while you download it. Anything you delete meanwhile is left out.',
          'El archivo se crea con tus fotos originales mientras lo descargas. Lo que borres entretanto no estará en él.',
        )}
      </p>
    </>
  )
}

function Step({ done, children }: { done: boolean; children: ReactNode }) {
  const Icon = done ? CircleCheck : CircleDashed
  return (
    <li className="flex items-center gap-3 py-1.5">
      <Icon
        aria-hidden
        size={20}
        strokeWidth={1.9}
        className={cx('flex-none', done ? 'text-success' : 'text-text-2')}
      />
      {children}
      {done && <span className="sr-only">{en(', done', ', hecho')}</span>}
    </li>
  )
}

const noteLooks = {
  success: { icon: PackageCheck, className: 'bg-success-soft text-success' },
  warning: { icon: TriangleAlert, className: 'bg-warning-soft text-warning' },
  danger: { icon: TriangleAlert, className: 'bg-danger-soft text-danger' },
}

function Note({ color, children }: { color: keyof typeof noteLooks; children: ReactNode }) {
  const { icon: Icon, className } = noteLooks[color]
  return (
    <div
      role="status"
      className={cx('mb-4 flex gap-3 rounded-photo px-4 py-3 text-pretty text-label', className)}
    >
      <Icon aria-hidden size={20} strokeWidth={1.9} className="mt-0.5 flex-none" />
      <p className="min-w-0">{children}</p>
    </div>
  )
}

function Failure({ error }: { error: Error | null }) {
  if (error === null || error instanceof ReauthenticationCancelled) return null
  return (
    <p role="alert" className="mb-3 text-label font-[550] text-danger">
      {describeFailure(error)}
    </p>
  )
}

function describeFailure(error: Error): string {
  if (!(error instanceof ApiError)) return genericErrorMessage
  if (['export_too_soon', 'export_under_way', 'export_outdated'].includes(error.type)) return error.message
  if (error.code === 0)
    return en(
      'You are offline. Try again when you are back online.',
      'Estás sin conexión. Inténtalo cuando vuelvas a tenerla.',
    )
  return genericErrorMessage
}

const countPhotos = (photos: number) =>
  `${formatNumber(photos)} ${photos === 1 ? en('photo', 'foto') : en('photos', 'fotos')}`

function describeTimeLeft(seconds: number | null): string {
  const minutes = Math.round((seconds ?? 0) / 60)
  if (minutes < 1) return en('Less than a minute', 'Menos de un minuto')
  return en(
    `About ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
    `Unos ${minutes} ${minutes === 1 ? 'minuto' : 'minutos'}`,
  )
}
