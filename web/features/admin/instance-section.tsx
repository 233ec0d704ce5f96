import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, type LucideIcon, RotateCw, TriangleAlert } from 'lucide-react'
import type { InstanceFindings, InstanceOverview } from '#contract/admin/instance.ts'
import { en } from '#contract/language.ts'
import { SettingsNote } from '#web/features/account/settings/settings-box-and-rows.tsx'
import { formatBytes } from '#web/format-bytes.ts'
import { formatNumber } from '#web/format-number.ts'
import { formatQuantity } from '#web/format-quantity.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { QueryView } from '#web/ui/query-view.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type Figure, FiguresBox } from './figures-box.tsx'
import { instanceFindingsQuery, instanceOverviewQuery } from './instance-queries.ts'

export function InstanceSection() {
  const overview = useQuery(instanceOverviewQuery)
  return (
    <>
      <QueryView
        query={overview}
        skeleton={<Skeleton className="mb-4 h-64 rounded-card" />}
        noticeClassName="mb-3.5"
      >
        {(instance) => <Overview instance={instance} />}
      </QueryView>
      <Findings />
    </>
  )
}

function Overview({ instance }: { instance: InstanceOverview }) {
  const { version, build, onDisk, startedAt, nodes, members, database, files, lastBackup } = instance
  const bytes = (count: number) => formatBytes(count, en('en', 'es'))
  const server: Figure[] = [
    {
      label: en('Version', 'Versión'),
      value: version,
      text: build && en(`Build ${build}`, `Compilación ${build}`),
    },
    { label: en('Started', 'En marcha desde'), value: <RelativeTime at={startedAt} /> },
    ...(nodes === null ? [] : [{ label: en('Servers', 'Servidores'), value: formatNumber(nodes) }]),
    { label: en('Members', 'Integrantes'), value: formatNumber(members) },
  ]
  const backupLabel = en('Last backup', 'Última copia de seguridad')
  const stored: Figure[] = [
    {
      label: en('Database', 'Base de datos'),
      value: bytes(database.bytes),
      text: database.embedded
        ? en(`PostgreSQL ${database.version}, embedded`, `PostgreSQL ${database.version}, integrada`)
        : `PostgreSQL ${database.version}`,
    },
    files.freeBytes === null
      ? { label: en('Photos', 'Fotos'), value: 'S3' }
      : { label: en('Free on disk', 'Libre en el disco'), value: bytes(files.freeBytes) },
    lastBackup
      ? {
          label: backupLabel,
          value: <RelativeTime at={lastBackup.finishedAt} />,
          text: describeBackup(lastBackup),
          color: instance.backupIsOverdue ? 'danger' : undefined,
        }
      : {
          label: backupLabel,
          value: en('Never', 'Nunca'),
          text: en('See docs/self-hosting.md.', 'Consulta docs/self-hosting.md.'),
          color: 'danger',
        },
  ]
  return (
    <>
      {onDisk && (
        <SettingsNote icon={RotateCw} color="warning">
          {en(
            `Version ${onDisk} is installed: restart to use it.`,
            `La versión ${onDisk} está en el disco: reinicia el servidor.`,
          )}
        </SettingsNote>
      )}
      <FiguresBox title={en('Running', 'En marcha')} figures={server} />
      <FiguresBox title={en('Data', 'Datos')} figures={stored} />
    </>
  )
}

function describeBackup(backup: NonNullable<InstanceOverview['lastBackup']>): string {
  const { rows, files, bytes, encrypted, verified } = backup
  const parts = [
    formatQuantity(rows, en('row', 'fila'), en('rows', 'filas')),
    formatQuantity(files, en('photo', 'foto'), en('photos', 'fotos')),
    formatBytes(bytes, en('en', 'es')),
    encrypted && en('encrypted', 'cifrada'),
    verified ? en('verified', 'verificada') : en('not verified', 'sin verificar'),
  ]
  return parts.filter(Boolean).join(' · ')
}

type Verdict = InstanceFindings['findings'][number]['verdict']

const verdicts: Record<Verdict, { icon: LucideIcon; color: string; label: string }> = {
  failure: { icon: CircleAlert, color: 'text-danger', label: en('Problem', 'Problema') },
  warning: { icon: TriangleAlert, color: 'text-warning', label: en('Warning', 'Atención') },
  ok: { icon: CircleCheck, color: 'text-success', label: en('OK', 'Bien') },
}
const verdictOrder: readonly Verdict[] = ['failure', 'warning', 'ok']

function Findings() {
  const query = useQuery(instanceFindingsQuery)
  const title = en('Health checks', 'Comprobaciones')
  return (
    <section aria-label={title} className="card mb-4 px-4 py-4 md:px-5">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 className="heading text-lead">{title}</h2>
        <Button
          kind="ghost"
          size="sm"
          busy={query.isFetching && !query.isPending}
          onClick={() => void query.refetch()}
        >
          {en('Check again', 'Volver a comprobar')}
        </Button>
      </div>
      <QueryView query={query} skeleton={<Skeleton className="h-40" />}>
        {({ findings, computedAt }) => (
          <>
            <ul className="divide-y divide-border">
              {verdictOrder.flatMap((verdict) =>
                findings
                  .filter((finding) => finding.verdict === verdict)
                  .map(({ sentence }) => <FindingRow key={sentence} verdict={verdict} sentence={sentence} />),
              )}
            </ul>
            <p className="mt-2 text-pretty text-meta text-text-2">
              {en('Checked', 'Comprobado')} <RelativeTime at={computedAt} inSentence />.{' '}
              {en(
                'The command npm run doctor also reads every row and photo.',
                'El comando npm run doctor lee además cada fila y cada foto.',
              )}
            </p>
          </>
        )}
      </QueryView>
    </section>
  )
}

function FindingRow({ verdict, sentence }: InstanceFindings['findings'][number]) {
  const { icon: Icon, color, label } = verdicts[verdict]
  return (
    <li className="flex gap-3 py-2.5">
      <Icon aria-hidden size={20} strokeWidth={2} className={cx('mt-0.5 flex-none', color)} />
      <p className="min-w-0 text-label text-pretty wrap-anywhere">
        <span className="sr-only">{label}: </span>
        <span lang="en">{sentence}</span>
      </p>
    </li>
  )
}
