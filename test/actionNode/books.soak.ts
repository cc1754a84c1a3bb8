import { testBooks } from './books';

testBooks(10_000, 1_800_000);
