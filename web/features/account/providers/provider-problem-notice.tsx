/** Shows the error in `?problem=` on the page that sent the member to the provider. */
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isProviderProblem, providerProblems } from '#contract/account/provider-problems.ts'
import { AuthFormError } from '#web/features/account/auth-form-parts.tsx'
import { fillInCommunityName } from '#web/navigation/community-identity.ts'
import { takePageBeforeProvider } from './page-before-provider.ts'

export function ProviderProblemNotice() {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const given = new URLSearchParams(search).get('problem')
  const [problem, setProblem] = useState<string>()

  useEffect(() => {
    if (given === null) return
    const page = takePageBeforeProvider()
    // The server redirects to the sign-in page instead of the page that the member left.
    if (page !== null && page !== pathname && /^\/(sign-up$|join\/)/.test(page)) {
      void navigate(`${page}${search}`, { replace: true })
      return
    }
    setProblem(fillInCommunityName(providerProblems[isProviderProblem(given) ? given : 'general_unknown']))
    void navigate(pathname, { replace: true })
  }, [given, pathname, search, navigate])

  return (
    <div className={problem && 'mb-4.5'}>
      <AuthFormError text={problem} />
    </div>
  )
}
