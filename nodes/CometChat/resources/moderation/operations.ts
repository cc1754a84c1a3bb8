export { list } from './list.operation';
export { review } from './review.operation';
export { flag } from './flag.operation';
