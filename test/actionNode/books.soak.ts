import { testBooks } from './books';

testBooks(300, 1_800_000);
