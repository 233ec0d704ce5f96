import { Link } from 'react-router'
import { getCommunityEndpoint } from '#contract/generated-endpoints.ts'
import { es } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { useSessionStatus } from '#web/features/account/session.ts'
import { formatDayAndYear } from '#web/format-day.ts'
import { useCommunityName } from '#web/navigation/community-identity.ts'
import { screenPaths } from '#web/paths.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { PublicPageLayout } from './public-page-layout.tsx'
import { useVisitorQuery } from './use-visitor-query.ts'

const loadCommunity = (signal?: AbortSignal) => callApiOperation(getCommunityEndpoint, {}, signal)

export function HouseRulesScreen() {
  const query = useVisitorQuery(loadCommunity)
  const isMember = useSessionStatus() === 'member'
  const community = useCommunityName()
  return (
    <PublicPageLayout name={query.data?.name ?? community}>
      <QueryView
        query={query}
        title={es('Normas de la casa', 'House rules')}
        skeleton={<Skeleton className="h-80" />}
      >
        {({ rules, rulesChangedAt, contact }) => (
          <div className="card p-6 md:p-8">
            <PageTitle title={es('Normas de la casa', 'House rules')} />
            {rules.length === 0 ? (
              <p className="mt-2 text-text-2">
                {es('Esta comunidad aún no tiene normas.', 'This community has no rules yet.')}
              </p>
            ) : (
              <p className="mt-1.5 mb-3.5 text-pretty text-text-2">
                {rulesChangedAt &&
                  es(
                    `En vigor desde el ${formatDayAndYear(rulesChangedAt)}. `,
                    `In force since ${formatDayAndYear(rulesChangedAt)}. `,
                  )}
                {es('Si cambian, te avisaremos.', 'We’ll tell you if they change.')}
              </p>
            )}
            <HouseRules rules={rules} />
            {contact !== null && (
              <p className="mt-5 text-label text-text-2 wrap-anywhere">
                {es('Contacto: ', 'Contact: ')}
                {contact}
              </p>
            )}
            {isMember && (
              <p className="mt-3">
                <Link
                  to={screenPaths.operatorActs()}
                  className="inline-flex min-h-11 items-center font-[650] text-brand-text hover:underline"
                >
                  {es('Lo que han hecho las operadoras', 'What operators have done')}
                </Link>
              </p>
            )}
          </div>
        )}
      </QueryView>
    </PublicPageLayout>
  )
}

export function HouseRules({ rules }: { rules: readonly string[] }) {
  return (
    <ol className="divide-y divide-border">
      {rules.map((rule, index) => (
        <li key={rule} className="flex items-start gap-3.5 py-3">
          <span
            aria-hidden
            className="grid size-7 flex-none place-items-center rounded-input bg-accent-soft text-label font-bold text-on-accent-soft"
          >
            {index + 1}
          </span>
          <span className="min-w-0 pt-0.5 text-pretty wrap-anywhere">{rule}</span>
        </li>
      ))}
    </ol>
  )
}
