import { Fingerprint, Hourglass, Lock, MapPin, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import type { ModerationCase } from '#contract/moderation/cases.ts'
import { type EvidenceField, evidenceFields } from '#contract/moderation/evidence-fields.ts'
import { hasPlace } from '#contract/posts/no-place.ts'
import { formatDateAndTime } from '#web/format-time.ts'
import { screenPaths } from '#web/paths.ts'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { CasePanel } from './case-page-parts.tsx'

type Item = ModerationCase['reports'][number]['evidence'][number]

type Props = {
  evidence: readonly Item[]
  /** Null if the reported post or comment still exists. */
  deletedAt: string | null
  pictureUrlOf: (place: string) => string
}

export function EvidenceSnapshots({ evidence, deletedAt, pictureUrlOf }: Props) {
  const seen = new Set<string>()
  const items = evidence.filter(({ snapshot }) => {
    const words = JSON.stringify(snapshot)
    return !seen.has(words) && seen.add(words)
  })
  return (
    <CasePanel
      title={en('Evidence', 'Pruebas')}
      text={en(
        `As it was when it was ${items.length === 1 ? 'first ' : ''}reported. Editing or deleting changes nothing here.`,
        `Tal como estaba cuando se denunció${items.length === 1 ? ' por primera vez' : ''}. Editar o borrar no cambia nada aquí.`,
      )}
    >
      <div className="space-y-4">
        {items.map((item) => (
          <EvidenceSnapshot
            key={item.place}
            item={item}
            deletedAt={deletedAt}
            pictureUrl={pictureUrlOf(item.place)}
          />
        ))}
        {items.length === 0 && (
          <p className="text-label text-text-2">
            {en(
              'The retention period has ended: this evidence was deleted.',
              'Terminó el plazo de conservación: estas pruebas se borraron.',
            )}
          </p>
        )}
      </div>
    </CasePanel>
  )
}

type Snapshot = { [F in Exclude<EvidenceField, 'tags'>]?: string | null } & {
  tags?: string[]
  username?: string
  alt?: string | null
  sharedPost?: string
  /** Set for a comment: its author, post, parent comment, and whether its text was removed before the report. */
  author?: { name: string; username: string }
  post?: { id: string }
  answers?: { content: string; author: { name: string } } | null
  removed?: boolean
  createdAt?: string
  creator?: { name: string; username: string }
  sender?: { name: string; username: string }
  admin?: { name: string; username: string }
  picture?: { sha256: string } | null
}

/** A person's name stands above the texts, and a post's place and tags stand below them. */
function shownInText(snapshot: Snapshot, field: EvidenceField): string | null | undefined {
  if (field === 'location' || field === 'tags') return null
  return field === 'name' && !snapshot.admin ? null : snapshot[field]
}

type EvidenceSnapshotProps = { item: Item; deletedAt: string | null; pictureUrl: string }

function EvidenceSnapshot({ item, deletedAt, pictureUrl }: EvidenceSnapshotProps) {
  const { hasPicture, sealedAt, keptUntil } = item
  const snapshot = item.snapshot as Snapshot
  const by = snapshot.creator ?? snapshot.sender ?? snapshot.author ?? snapshot.admin ?? snapshot
  const texts = [
    ...evidenceFields.map((field) => shownInText(snapshot, field)),
    snapshot.alt,
    snapshot.removed && en('Removed before it was reported', 'Retirado antes de que se denunciara'),
    snapshot.sharedPost && en('Shared a post', 'Compartió una publicación'),
  ]
  return (
    <figure>
      <div className="overflow-hidden rounded-photo border border-border md:grid md:grid-cols-[auto_minmax(0,1fr)]">
        {hasPicture && (
          <img
            src={pictureUrl}
            alt={en('As it was when it was reported', 'Tal como estaba cuando se denunció')}
            className="max-h-[420px] w-full object-cover md:max-w-[220px]"
          />
        )}
        <div className="min-w-0 px-4 py-3.5">
          <div className="flex items-center gap-3">
            {by.name && <Avatar person={{ name: by.name, imageId: null }} size={36} />}
            <div className="min-w-0">
              {by.name && <p className="font-[680] wrap-anywhere">{by.name}</p>}
              <p className="text-meta text-text-2 wrap-anywhere">
                {by.username && `@${by.username}`}
                {snapshot.createdAt && ` · ${formatDateAndTime(new Date(snapshot.createdAt))}`}
              </p>
            </div>
          </div>
          {texts.map(
            (text) =>
              text && (
                <p key={text} dir="auto" className="mt-3 wrap-anywhere whitespace-pre-wrap">
                  {text}
                </p>
              ),
          )}
          {snapshot.answers && (
            <p className="mt-3 text-label wrap-anywhere whitespace-pre-wrap text-text-2">
              {en('In answer to ', 'En respuesta a ')}
              {snapshot.answers.author.name}: <span dir="auto">{snapshot.answers.content}</span>
            </p>
          )}
          {snapshot.post && (
            <p className="mt-3 text-label">
              <Link
                to={screenPaths.post(snapshot.post.id)}
                className="font-[620] underline underline-offset-3"
              >
                {en('The post it belongs to', 'La publicación en la que está')}
              </Link>{' '}
              <span className="text-text-2">
                {en('opens if you can read it as a member.', 'se abre si puedes leerla como integrante.')}
              </span>
            </p>
          )}
          {snapshot.location && hasPlace(snapshot.location) && (
            <p className="mt-2 flex gap-1.5 text-meta text-text-2 wrap-anywhere">
              <MapPin aria-hidden size={16} strokeWidth={2} className="mt-px flex-none" />
              {snapshot.location}
            </p>
          )}
          {snapshot.tags && snapshot.tags.length > 0 && (
            <p className="mt-2 text-meta text-text-2 wrap-anywhere">
              {snapshot.tags.map((tag) => `#${tag}`).join(' ')}
            </p>
          )}
          {deletedAt && (item.kind === 'post' || item.kind === 'comment') && (
            <p className="mt-3 inline-flex items-center gap-1.5 rounded-full bg-warning-soft px-2.5 py-1 text-micro font-[640] text-warning">
              <Trash2 aria-hidden size={16} strokeWidth={2} />
              {item.kind === 'post'
                ? en('Deleted by its author, ', 'Borrada por su autora, ')
                : en(
                    'Removed by its author or the post’s, ',
                    'Retirado por su autora o la de la publicación, ',
                  )}
              {formatDateAndTime(new Date(deletedAt))}
            </p>
          )}
        </div>
      </div>
      <figcaption className="mt-3 flex flex-wrap gap-x-3.5 gap-y-1 text-micro text-text-2 tabular-nums">
        <CaptionEntry icon={Lock}>
          {en('Sealed ', 'Sellada ')}
          {formatDateAndTime(new Date(sealedAt))}
        </CaptionEntry>
        {snapshot.picture && (
          <CaptionEntry icon={Fingerprint}>
            <span title={snapshot.picture.sha256}>
              SHA-256 {snapshot.picture.sha256.slice(0, 4)}…{snapshot.picture.sha256.slice(-4)}
            </span>
          </CaptionEntry>
        )}
        <CaptionEntry icon={Hourglass}>
          {keptUntil
            ? en(
                `Kept until ${formatDateAndTime(new Date(keptUntil))}`,
                `Se conserva hasta el ${formatDateAndTime(new Date(keptUntil))}`,
              )
            : en(
                'Kept until 24 months after the decision, 90 days if it is dismissed',
                'Se conserva hasta 24 meses después de la decisión, 90 días si se archiva',
              )}
        </CaptionEntry>
      </figcaption>
    </figure>
  )
}

function CaptionEntry({ icon: Icon, children }: { icon: typeof Lock; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <Icon aria-hidden size={16} strokeWidth={1.9} className="flex-none" />
      {children}
    </span>
  )
}
