/** How the container image starts the service: with less memory (see the Dockerfile). */
export const IN_CONTAINER = {
  nodeArguments: [
    '--disable-sigusr1',
    '--min-semi-space-size=16',
    '--max-semi-space-size=16',
    '--max-old-space-size=512',
  ],
  environment: { MALLOC_ARENA_MAX: '1' },
} as const;
