import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { OperatorActEntry } from '#contract/admin/operator-acts.ts'
import { en } from '#contract/language.ts'
import { formatQuantity } from '#web/format-quantity.ts'
import { screenPaths } from '#web/paths.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { operatorActsQuery } from './admin-queries.ts'
import { operatorActText } from './operator-act-labels.ts'

export function OperatorActsSection() {
  const query = useInfiniteQuery(operatorActsQuery)
  return (
    <>
      <p className="mx-1 mb-4.5 max-w-[62ch] text-pretty text-text-2 md:mx-0">
        {en(
          'Everything operators did in the last two years, in the app or by command. Members see what was done and when, without names.',
          'Lo que han hecho las operadoras en los últimos dos años, en la aplicación o con comandos. Las integrantes ven qué se hizo y cuándo, sin nombres.',
        )}{' '}
        <Link to={screenPaths.operatorActs()} className="text-brand-text underline underline-offset-4">
          {en('What members see', 'Lo que ven las integrantes')}
        </Link>
      </p>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-40 rounded-card" />}
        noticeClassName="mb-3.5"
        isEmpty={({ pages }) => pages.every(({ documents }) => documents.length === 0)}
        empty={
          <div className="card">
            <EmptyState title={en('Nothing yet.', 'Nada todavía.')} />
          </div>
        }
      >
        {({ pages }) => (
          <ul
            aria-label={en('Operator log', 'Registro')}
            className="card divide-y divide-border px-4 md:px-6"
          >
            {pages
              .flatMap(({ documents }) => documents)
              .map((entry) => (
                <ActRow key={entry.$id} entry={entry} />
              ))}
          </ul>
        )}
      </QueryView>
      <LoadMore query={query} what={en('entries', 'entradas')} />
    </>
  )
}

const settingNames: Record<string, string> = {
  name: en('name', 'nombre'),
  rules: en('house rules', 'normas de la casa'),
  contact: en('contact', 'contacto'),
  applicationQuestion: en('question for applicants', 'pregunta de las solicitudes'),
  logo: en('logo', 'logotipo'),
  accent: en('colour', 'color'),
  announcement: en('announcement', 'anuncio'),
}
const valueNames: Record<string, string> = {
  open: en('open', 'abierta'),
  invite: en('by invitation', 'por invitación'),
  approval: en('with approval', 'con aprobación'),
  closed: en('closed', 'cerrada'),
}

function ActRow({ entry: { act, at, by, systemUser, about, detail } }: { entry: OperatorActEntry }) {
  const parts: ReactNode[] = []
  if (about) parts.push(<span key="about">@{about.username}</span>)
  if (detail.fields) parts.push(detail.fields.map((name) => settingNames[name] ?? name).join(', '))
  if (detail.to) parts.push(valueNames[detail.to] ?? detail.to)
  if (detail.kind) parts.push(detail.kind)
  if (detail.days !== undefined)
    parts.push(
      detail.days === null
        ? en('for good', 'para siempre')
        : formatQuantity(detail.days, en('day', 'día'), en('days', 'días')),
    )
  return (
    <li className="py-3.5">
      <p className="font-[620] text-pretty">{operatorActText(act)}</p>
      {parts.length > 0 && (
        <p className="text-label text-text-2 wrap-anywhere">
          {parts.map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a row never change their order
            <span key={index}>
              {index > 0 && ' · '}
              {part}
            </span>
          ))}
        </p>
      )}
      {detail.text && <p className="text-label text-text-2 wrap-anywhere">“{detail.text}”</p>}
      <p className="text-meta text-text-2 wrap-anywhere">
        {by
          ? `@${by.username}`
          : systemUser
            ? en(`Command, run by ${systemUser}`, `Comando, ejecutado por ${systemUser}`)
            : en('Deleted account', 'Cuenta borrada')}{' '}
        · <RelativeTime at={at} />
      </p>
    </li>
  )
}
