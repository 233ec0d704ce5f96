import { useQuery } from '@tanstack/react-query'
import type { FileKind, InstanceStorage } from '#contract/admin/instance.ts'
import { en } from '#contract/language.ts'
import { formatBytes } from '#web/format-bytes.ts'
import { formatQuantity } from '#web/format-quantity.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { instanceStorageQuery } from './instance-queries.ts'

/** Lists kinds of files and the largest accounts. Never shows photos. */
export function StorageSection() {
  const query = useQuery(instanceStorageQuery)
  return (
    <QueryView
      query={query}
      skeleton={<Skeleton className="h-96 rounded-card" />}
      noticeClassName="mb-3.5"
      isEmpty={({ kinds, exports }) => kinds.length === 0 && exports.files === 0}
      empty={
        <div className="card">
          <EmptyState title={en('No photos yet.', 'Todavía no hay fotos.')} />
        </div>
      }
    >
      {(storage) => <Storage storage={storage} />}
    </QueryView>
  )
}

const kindLabels: Record<FileKind, string> = {
  post: en('Photos of posts', 'Fotos de publicaciones'),
  user: en('Profile photos', 'Fotos de perfil'),
  group: en('Group photos', 'Fotos de grupos'),
  message: en('Photos in messages', 'Fotos en mensajes'),
  unused: en('Uploads not used yet', 'Subidas sin usar'),
  evidence: en('Kept for reports', 'Guardadas por denuncias'),
  deleted: en('Being deleted', 'Borrándose'),
}

function Storage({ storage: { kinds, exports, accounts, computedAt } }: { storage: InstanceStorage }) {
  const rows = [
    ...kinds.map(({ kind, ...sizes }) => ({ key: kind as string, label: kindLabels[kind], ...sizes })),
    ...(exports.files === 0
      ? []
      : [{ key: 'exports', label: en('Data exports', 'Copias de datos'), ...exports }]),
  ]
  return (
    <>
      <SizesBox
        title={en('By kind', 'Por tipo')}
        text={en(
          'Original photos, without their smaller versions.',
          'Fotos originales, sin sus versiones más pequeñas.',
        )}
        rows={rows}
      />
      {accounts.length > 0 && (
        <SizesBox
          title={en('Largest accounts', 'Cuentas más grandes')}
          rows={accounts.map(({ $id, name, username, files, bytes }) => ({
            key: $id,
            label: name,
            text: `@${username}`,
            files,
            bytes,
          }))}
        />
      )}
      <p className="mx-1 text-meta text-text-2">
        {en('Measured', 'Medido')} <RelativeTime at={computedAt} inSentence />
      </p>
    </>
  )
}

type Row = { key: string; label: string; text?: string; files: number; bytes: number }

function SizesBox({ title, text, rows }: { title: string; text?: string; rows: readonly Row[] }) {
  const most = Math.max(1, ...rows.map(({ bytes }) => bytes))
  return (
    <section aria-label={title} className="card mb-4 px-4 py-4 md:px-5">
      <h2 className="heading text-lead">{title}</h2>
      {text && <p className="text-pretty text-label text-text-2">{text}</p>}
      <ul className="mt-2 divide-y divide-border">
        {rows.map(({ key, label, text: second, files, bytes }) => (
          <li key={key} className="py-2.5">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <p className="min-w-0 wrap-anywhere">
                <bdi className="font-[620]">{label}</bdi>
                {second && <span className="ml-2 text-label text-text-2">{second}</span>}
              </p>
              <p className="text-label tabular-nums">
                {formatBytes(bytes, en('en', 'es'))}
                <span className="text-text-2">
                  {` · ${formatQuantity(files, en('file', 'archivo'), en('files', 'archivos'))}`}
                </span>
              </p>
            </div>
            <div aria-hidden className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-sunken">
              <div
                className="h-full origin-left rounded-full bg-brand"
                style={{ transform: `scaleX(${bytes / most})` }}
              />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
