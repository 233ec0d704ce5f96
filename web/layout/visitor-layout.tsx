import { RotateCw } from 'lucide-react'
import { Suspense } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { es } from '#contract/language.ts'
import { refreshSessionStatus, useSessionStatus } from '#web/features/account/session.ts'
import { useCommunityName } from '#web/navigation/community-identity.ts'
import { lazyPart } from '#web/navigation/lazy-part.tsx'
import { screenPaths } from '#web/paths.ts'
import { BrandLink } from '#web/ui/brand.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton, SkeletonRegion } from '#web/ui/skeleton.tsx'
import { LanguageButtons } from './language-buttons.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { useDocumentLanguage } from './use-document-language.ts'

const loadPhotoWall = () => import('./photo-wall.tsx')
const PhotoWall = lazyPart(async () => (await loadPhotoWall()).PhotoWall)
const PhotoStrip = lazyPart(async () => (await loadPhotoWall()).DecorativePhotoStrip)

/** Visitors can type during the session check and lose nothing if it fails. */
export function VisitorLayout() {
  const session = useSessionStatus()
  const { pathname, state } = useLocation()
  const signingIn = pathname === screenPaths.signIn()
  const signingUp = pathname === screenPaths.signUp()
  useDocumentLanguage(es('es', 'en'))
  if (session === 'member' && (signingIn || signingUp))
    return <Navigate to={state?.next ?? screenPaths.home()} replace />
  return (
    <div className="min-h-dvh bg-surface">
      <OfflineBanner
        sentence={es(
          'Estás sin conexión. Lo intentaremos en cuanto vuelva.',
          'You’re offline. We’ll refresh when you’re back online.',
        )}
      />
      <main className="two:grid two:min-h-dvh two:grid-cols-[minmax(400px,1fr)_minmax(0,1fr)] three:grid-cols-[minmax(480px,1fr)_minmax(0,1.25fr)]">
        <div className="relative mx-auto flex w-full max-w-[560px] flex-col justify-center px-[22px] pb-7 md:min-h-dvh md:px-[clamp(28px,7vw,112px)] md:py-28 two:max-w-none">
          {signingIn ? (
            <div
              aria-hidden="true"
              className="-mx-[22px] mb-[22px] h-[236px] overflow-hidden rounded-b-dialog bg-wall md:hidden"
            >
              <PhotoStrip />
            </div>
          ) : (
            <div className="h-7 md:hidden" />
          )}
          <BrandLink
            to={screenPaths.signIn()}
            className="mb-3.5 -ml-0.5 self-start md:absolute md:top-9 md:left-[clamp(28px,7vw,112px)] md:m-0"
          />
          {session === 'unreachable' && <UnreachableNotice />}
          <Suspense fallback={<FormSkeleton />}>
            <Outlet />
          </Suspense>
          <LanguageButtons className="mt-6 md:absolute md:bottom-9 md:left-[clamp(28px,7vw,112px)] md:-ml-3" />
        </div>
        <div
          aria-hidden="true"
          className="sticky top-4 my-4 mr-4 hidden h-[calc(100dvh-32px)] overflow-hidden rounded-wall bg-wall two:block"
        >
          <PhotoWall mirrored={signingUp} say={signingUp ? signUpSays : signInSays} />
        </div>
      </main>
    </div>
  )
}

function FormSkeleton() {
  return (
    <SkeletonRegion atOnce>
      <div className="grid gap-4.5">
        <Skeleton className="h-9 w-3/4" />
        <Skeleton className="h-13" />
        <Skeleton className="h-13" />
        <Skeleton className="h-13 rounded-full" />
      </div>
    </SkeletonRegion>
  )
}

const signInSays = es(
  'Lo que haces merece verse. Aquí estamos todas.',
  'What you make deserves to be seen. We are all here.',
)
const signUpSays = es(
  'Barro, libros, montañas, sobremesas. Encuentra a las tuyas.',
  'Clay, books, mountains, long lunches. Find your people.',
)

function UnreachableNotice() {
  const community = useCommunityName()
  return (
    <div
      role="alert"
      className="mb-6 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-input bg-warning-soft px-4 py-3 font-[620] text-warning"
    >
      {es(`No podemos conectar con ${community}.`, `We can’t reach ${community}.`)}
      <Button kind="outline" size="sm" onClick={refreshSessionStatus}>
        <RotateCw size={16} strokeWidth={2.1} />
        {es('Reintentar', 'Try again')}
      </Button>
    </div>
  )
}
