{-# LANGUAGE GADTs, TypeFamilies #-}
-- Licensed to the birds.

{-|
Module: Station
Readings and what to do with them.
-}
module Station
  ( Reading (..)
  , latest
  ) where

import qualified Data.Map as Map
import Data.List (sortOn)

-- | One value of one sensor.
data Reading a
  = Reading { sensor :: String -- ^ who measured
            , value :: a
            }
  | Missing -- ^ nothing came
  deriving (Eq, Show)

newtype Station = Station { readings :: [Reading Double] }
type Name = String

-- | What can be read off.
class Show s => Source s where
  -- | Type of what is read.
  type Value s
  -- | Reads once.
  poll :: s -> IO (Value s)
  poll = undefined
  {-# MINIMAL poll #-}
  (<+>) :: s -> s -> s

instance Source Station where
  type Value Station = Double
  poll _ = pure 1
instance (Eq a) => Semigroup (Reading a) where
  Missing <> b = b
  a <> _ = a
deriving stock instance Eq Station

type family Unit a where
  Unit Double = String
data Expr a where
  Lit :: Int -> Expr Int

-- | The newest reading of a sensor,
--   if there is one.
latest
  :: Name -- ^ whose
  -> Station
  -> Maybe (Reading Double) -- ^ the newest
{-# INLINE latest #-}
latest _ (Station []) = Nothing
latest name (Station (r : rest))
  | sensor r == name = Just r
  | otherwise = latest name (Station rest)
  where
    unused :: Int
    unused = 1

-- plain remark
infixr 5 <||>
(<||>) :: Maybe a -> Maybe a -> Maybe a
Nothing <||> b = b
a <||> _ = a

low, high :: Double
low = -40
high = 60

inferred x = x + 1
(first, second) = (1, 2)

foreign import ccall "math.h sin" c_sin :: Double -> Double

main :: IO ()
main = do
  print low

broken = = 1

afterwards :: Int
afterwards = 2
