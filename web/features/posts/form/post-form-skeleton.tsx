import { Skeleton, SkeletonRegion } from '#web/ui/skeleton.tsx'

export function PostFormSkeleton() {
  return (
    <SkeletonRegion>
      <div className="card grid gap-x-8 gap-y-[18px] p-5 md:p-8 two:grid-cols-[minmax(0,1fr)_minmax(0,min(25rem,50%))]">
        <div className="space-y-[18px]">
          <Skeleton className="h-40 w-full" />
          <Skeleton className="h-13 w-full" />
          <Skeleton className="h-13 w-full" />
          <Skeleton className="h-13 w-full" />
        </div>
        <Skeleton className="aspect-4/3 w-full rounded-card two:aspect-square" />
      </div>
    </SkeletonRegion>
  )
}
